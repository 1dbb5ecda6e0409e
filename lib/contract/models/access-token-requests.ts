import * as z from 'zod/mini'
import { objectName } from './display-text.ts'
import { flag, givenDateTime, id, nonEmptyText, text, text255, textUpTo } from './fields.ts'
import { emailAddress, multiLine, singleLine } from './mail-fields.ts'
import { mediaPermissions } from './media-permissions.ts'

/** Objects of one kind per token. */
const maxShared = 25

const maybeFlag = z._default(flag, false)

/** What a token allows. Omitted permissions are not granted. */
export const AccessTokenPermissions = z.strictObject(mediaPermissions(maybeFlag))
export type AccessTokenPermissions = z.output<typeof AccessTokenPermissions>

const sharedObject = { id, name: objectName(1023), root: id, path: textUpTo(1023) }

export const AccessTokenBundle = z.strictObject({ ...sharedObject, asset: z.optional(z.nullable(id)) })
export type AccessTokenBundle = z.output<typeof AccessTokenBundle>

export const AccessTokenDirectory = z.strictObject(sharedObject)
export type AccessTokenDirectory = z.output<typeof AccessTokenDirectory>

/** An object whose caller sent its ID alone. The product knows the rest of it. */
const idAlone = z.codec(id, z.object({ id }), {
  decode: (given) => ({ id: given }),
  encode: (read) => read.id,
})

const listOf = <Entry extends z.ZodMiniType<{ readonly id: number }>>(entry: Entry) =>
  z._default(
    z.array(entry).check(
      z.maxLength(maxShared),
      z.refine(
        (items) => new Set(items.map((item) => item.id)).size === items.length,
        'must not contain an ID twice',
      ),
    ),
    [],
  )

/** Objects to share: the ID of each, or the object with its name and place, without duplicate IDs. */
const shared = <Entry extends z.ZodMiniType<{ readonly id: number }>>(entry: Entry) =>
  listOf(z.union([idAlone, entry], { error: 'must be an ID, or an object with an ID' }))

/** What a link opens, for whom, and for how long. Without `user` and `email`, the link gets an anonymous guest. */
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
      error: 'requires at least one entry in `bundles` or `directories`',
      path: ['bundles'],
    }),
    z.refine(
      ({ bundles, directories, is_easy_sharing }) =>
        !is_easy_sharing || bundles.length + directories.length === 1,
      { error: 'requires exactly one bundle or directory', path: ['is_easy_sharing'] },
    ),
    z.refine(({ user, email }) => user == null || email == null, {
      error: 'must be omitted if `user` names the recipient',
      path: ['email'],
    }),
  )
export type CreateAccessTokenRequest = z.output<typeof CreateAccessTokenRequest>

/** The same as published clients send it to another path. */
export const MediaLibraryShareRequest = z.safeExtend(CreateAccessTokenRequest, {
  // The published descriptions name no values. There is one kind of link here, so any value asks for it.
  link_type: z.optional(z.nullable(text255)),
})
export type MediaLibraryShareRequest = z.output<typeof MediaLibraryShareRequest>

export const RedeemAccessTokenRequest = z.strictObject({
  token: nonEmptyText,
  password: z.optional(z.nullable(nonEmptyText)),
  /** Keeps a person's own session in the browser. The session of the link is then in the response alone. */
  keep_own_session: maybeFlag,
})
export type RedeemAccessTokenRequest = z.output<typeof RedeemAccessTokenRequest>

export const SendLinkEmailRequest = z.strictObject({
  email: z.optional(emailAddress),
  subject: z.optional(singleLine),
  text: z.optional(multiLine),
})
export type SendLinkEmailRequest = z.output<typeof SendLinkEmailRequest>
