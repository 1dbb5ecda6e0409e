/** Returns a function that does the work once per input and returns the same result from then on. */
export const memoize = <Input, Output extends object>(
  work: (input: Input) => Output,
): ((input: Input) => Output) => {
  const results = new Map<Input, Output>()
  return (input) => {
    const result = results.get(input) ?? work(input)
    results.set(input, result)
    return result
  }
}
