import * as z from 'zod/mini'
import { isRandom } from '../../kernel/secrets/credentials.ts'

/** The longest body of a request to the function `config`, and of its answers. Lambda allows 6 MB with all that is around it. */
export const doorBodyLimitBytes = 5 * 1024 * 1024

/** The alias of the function `config` that only its URL has. */
export const urlAlias = 'url'

/** The alias that is invoked in regions without function URLs, where nothing proves who did it. */
export const invokedAlias = 'invoked'

/** What the alias of a product ends with that only a URL has. The other alias of the product is its name. */
export const productUrlSuffix = '-url'

export const longestProductName = 46

/** Names that a product cannot have, because they are aliases of others, or end like one. */
export const isProductName = (name: string): boolean =>
  /^[a-z][a-z0-9-]*$/.test(name) &&
  name.length <= longestProductName &&
  name !== urlAlias &&
  name !== invokedAlias &&
  !name.endsWith(productUrlSuffix)

export const productNameRule = `must begin with a letter, have up to ${longestProductName} lower-case letters, digits and hyphens, and neither be ${urlAlias} or ${invokedAlias} nor end with ${productUrlSuffix}`

const withDocument = {
  /** Read by `readDocument`, whose errors have paths in the file. */
  document: z.unknown(),
  /** Whether to delete what the owner manages and the document no longer has. */
  prune: z.optional(z.boolean()),
  /** The secrets that the document refers to, by the names of their variables. */
  secrets: z.optional(z.record(z.string(), z.string())),
}

/** The requests to the function `config`, by their paths. */
export const doorRequests = {
  '/plan': z.strictObject(withDocument),
  '/apply': z.strictObject({
    ...withDocument,
    /** The hash of the plan that a person saw. Another plan is not applied. */
    plan: z.string(),
    /** What the caller keeps of secrets, by the paths of entries. */
    held: z.optional(
      z.record(
        z.string(),
        z.strictObject({
          random: z.optional(z.string().check(z.refine(isRandom, 'must be the random part of a credential'))),
          hash: z.optional(z.string().check(z.regex(/^[\w-]{43}$/))),
        }),
      ),
    ),
    /** The paths of the entries that get a new secret. */
    renew: z.optional(z.array(z.string()).check(z.maxLength(100))),
  }),
  '/export': z.strictObject({ owner: z.string() }),
  '/transfer': z.strictObject({
    from: z.string(),
    to: z.string(),
    /** Whether to list what would move, and to move nothing. */
    is_dry_run: z.boolean(),
  }),
} as const
export type DoorPath = keyof typeof doorRequests
export type DoorRequest<Path extends DoorPath> = z.output<(typeof doorRequests)[Path]>
