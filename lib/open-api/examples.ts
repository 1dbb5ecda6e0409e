import type { Example } from '../contract/describe.ts'

/** Builds the examples of a body. Each has a name that tools show in lists and addresses. */
export const buildExamples = (examples: readonly Example[] = []) =>
  examples.length === 0
    ? {}
    : { examples: Object.fromEntries(examples.map((example) => [nameExample(example), example])) }

/** `A user with a second factor` becomes `a_user_with_a_second_factor`. */
const nameExample = ({ summary }: Example): string =>
  summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
