import * as z from 'zod/mini'
import { flag, givenDateTime, id, nonEmptyText, text, textUpTo } from './fields.ts'
import { emailAddress, multiLine, singleLine } from './mail-fields.ts'
import { mediaPermissions } from './media-permissions.ts'

/** How many objects of one kind a token may open. */
const maxShared = 25

const maybeFlag = z._default(flag, false)

/** What a token allows; whatever is left out, it doesn't. */
export const AccessTokenPermissions = z.strictObject(mediaPermissions(maybeFlag))
export type AccessTokenPermissions = z.output<typeof AccessTokenPermissions>

const sharedObject = { id, name: text(1023), root: id, path: textUpTo(1023) }

export const AccessTokenBundle = z.strictObject({ ...sharedObject, asset: z.optional(z.nullable(id)) })
export type AccessTokenBundle = z.output<typeof AccessTokenBundle>

export const AccessTokenDirectory = z.strictObject(sharedObject)
export type AccessTokenDirectory = z.output<typeof AccessTokenDirectory>

/** A list of objects to share, each of them once. */
const shared = <T extends z.ZodMiniType<{ id: number }>>(item: T) =>
  z._default(
    z.array(item).check(
      z.maxLength(maxShared),
      z.refine(
        (items) => new Set(items.map((one) => one.id)).size === items.length,
        'must name each id once',
      ),
    ),
    [],
  )

/** What a link opens, for whom and for how long. Neither `user` nor `email`: an anonymous user for this link. */
export const CreateAccessTokenRequest = z
  .strictObject({
    bundles: shared(AccessTokenBundle),
    directories: shared(AccessTokenDirectory),
    permissions: z.prefault(AccessTokenPermissions, {}),
    user: z.optional(z.nullable(id)),
    email: z.optional(z.nullable(emailAddress.check(z.maxLength(255)))),
    expires: z.optional(z.nullable(givenDateTime)),
    view_limit: z.optional(z.nullable(z.int32().check(z.minimum(1)))),
    password: z.optional(z.nullable(text(1024))),
    require_login: maybeFlag,
    url: z.optional(text(1023)),
    is_easy_sharing: maybeFlag,
  })
  .check(
    z.refine(({ bundles, directories }) => bundles.length + directories.length > 0, {
      error: 'must name a bundle or a directory, in bundles or directories',
      path: ['bundles'],
    }),
    z.refine(
      ({ bundles, directories, is_easy_sharing }) =>
        !is_easy_sharing || bundles.length + directories.length === 1,
      { error: 'goes with exactly one bundle or directory', path: ['is_easy_sharing'] },
    ),
    z.refine(({ user, email }) => user == null || email == null, {
      error: 'must be left out where user names the recipient',
      path: ['email'],
    }),
  )
export type CreateAccessTokenRequest = z.output<typeof CreateAccessTokenRequest>

export const RedeemAccessTokenRequest = z.strictObject({
  token: nonEmptyText,
  password: z.optional(z.nullable(nonEmptyText)),
})
export type RedeemAccessTokenRequest = z.output<typeof RedeemAccessTokenRequest>

export const SendLinkEmailRequest = z.strictObject({
  email: z.optional(emailAddress),
  subject: z.optional(singleLine),
  text: z.optional(multiLine),
})
export type SendLinkEmailRequest = z.output<typeof SendLinkEmailRequest>
