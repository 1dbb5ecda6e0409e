/**
 * Maps items with an asynchronous function, `batchSize` at a time. All at once would open a connection for each item.
 */
export const mapInBatches = async <Input, Output>(
  items: readonly Input[],
  batchSize: number,
  work: (item: Input) => Promise<Output>,
): Promise<Output[]> => {
  const results: Output[] = []
  for (let at = 0; at < items.length; at += batchSize)
    results.push(...(await Promise.all(items.slice(at, at + batchSize).map(work))))
  return results
}
