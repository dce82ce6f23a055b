import autocannon from "autocannon";

/** Sends this many GET requests on this many connections. @throws if a response is not 200 */
export async function load(url: string, amount: number, connections: number): Promise<void> {
  const result = await autocannon({ url, amount, connections });
  if (result["2xx"] !== amount || result.errors > 0)
    throw new Error(
      `${url}: ${result["2xx"]} of ${amount} requests were answered with 200, ${result.errors} failed`,
    );
}
