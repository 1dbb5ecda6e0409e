/** The number of random cases that a test tries. `npm run fuzz` tries ten times as many. */
export const corpusSize = (cases: number): number => (process.env['FUZZ_REQUESTS'] ? cases * 10 : cases)
