import * as z from 'zod/mini'
import {
  exampleBundle,
  exampleCredentials,
  exampleDirectory,
  exampleGuestMini,
  exampleLinkPassword,
} from '../../accounts/example-values.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import {
  emailAddress,
  flag,
  givenDateTime,
  id,
  multiLine,
  nonEmptyText,
  objectName,
  singleLine,
  text,
  textUpTo,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import {
  ordering,
  paging,
  queryBoolean,
  queryId,
  queryIds,
  querySearch,
} from '../../kernel/contract/query.ts'
import { linkPasswordMinLength } from '../../kernel/limits/limits.ts'
import {
  exampleLinkPermissions,
  linkPermissionDescriptions,
  linkPermissions,
} from '../../published-clients/link-fields.ts'

/** Objects of one kind per link. */
const maxShared = 25
const maybeFlag = z._default(flag, false)

/** What a link allows. Omitted permissions are not granted. */
export const AccessTokenPermissions = z.strictObject(linkPermissions(maybeFlag))
export type AccessTokenPermissions = z.output<typeof AccessTokenPermissions>

if (docs)
  describeModel(AccessTokenPermissions, () => ({
    description:
      'What the recipient of an access link may do with the shared objects. The product enforces these permissions. This service stores them. An omitted permission is `false`.',
    fields: linkPermissionDescriptions,
    example: exampleLinkPermissions,
  }))

const sharedObject = {
  id,
  name: objectName(1023),
  root: z.optional(id),
  path: z.optional(textUpTo(1023)),
}

export const AccessTokenBundle = z.strictObject({ ...sharedObject, asset: z.optional(z.nullable(id)) })
export type AccessTokenBundle = z.output<typeof AccessTokenBundle>

const sharedObjectDescriptions = docs && {
  root: 'The ID of the root folder that contains the object. Omit it if your product has none.',
  path: 'The path of the object in its root folder, at most 1,023 characters. It must not contain control characters or the segments `.` and `..`. Omit it if your product has none.',
}

if (docs)
  describeModel(AccessTokenBundle, () => ({
    description: 'A bundle to share. This service does not check whether it exists.',
    fields: {
      ...sharedObjectDescriptions,
      id: 'The ID of the bundle in the product.',
      name: 'The name of the bundle. Recipients can see it in lists and in the email with the link.',
      asset: 'The ID of the asset of the bundle, or null. Lists of access links can be filtered by it.',
    },
    example: exampleBundle,
  }))

export const AccessTokenDirectory = z.strictObject(sharedObject)
export type AccessTokenDirectory = z.output<typeof AccessTokenDirectory>

if (docs)
  describeModel(AccessTokenDirectory, () => ({
    description: 'A directory to share. This service does not check whether it exists.',
    fields: {
      ...sharedObjectDescriptions,
      id: 'The ID of the directory in the product.',
      name: 'The name of the directory. Recipients can see it in lists and in the email with the link.',
    },
    example: exampleDirectory,
  }))

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

interface Recipients<User> {
  readonly bundles: readonly unknown[]
  readonly directories: readonly unknown[]
  readonly is_easy_sharing?: boolean | undefined
  readonly user?: User | null | undefined
  readonly email?: string | null | undefined
}

/** What holds across the fields of a new link. */
export const linkRules = <Link extends Recipients<unknown>>() => [
  z.refine<Link>(({ bundles, directories }) => bundles.length + directories.length > 0, {
    error: 'requires at least one entry in `bundles` or `directories`',
    path: ['bundles'],
  }),
  z.refine<Link>(
    ({ bundles, directories, is_easy_sharing }) =>
      !is_easy_sharing || bundles.length + directories.length === 1,
    { error: 'requires exactly one bundle or directory', path: ['is_easy_sharing'] },
  ),
  z.refine<Link>(({ user, email }) => user == null || email == null, {
    error: 'must be omitted if `user` names the recipient',
    path: ['email'],
  }),
]

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
    organization: z.optional(z.nullable(id)),
  })
  .check(...linkRules<Recipients<number>>())
export type CreateAccessTokenRequest = z.output<typeof CreateAccessTokenRequest>

const sharedFormDescription =
  docs &&
  'An entry is an ID alone, or an object with its name, and with its place if it has one. Without a name, the link shows one such as `Bundle 12`.'

export const linkDescriptions = docs && {
  bundles: `The bundles to share, at most 25, each once. ${sharedFormDescription} At least one bundle or directory is required.`,
  directories: `The directories to share, at most 25, each once. ${sharedFormDescription}`,
  permissions: 'What the recipient may do. Omitted permissions are not granted.',
  user: 'The ID of the recipient, who must sign in to open the link. Null or omitted for another recipient.',
  email:
    'The address of the recipient. The user with this verified address must sign in to open the link. For an unknown address, the service creates a guest, for whom the link is enough. Not together with `user`.',
  expires:
    'When the link ends: ISO 8601 in the future, with a time zone. Null or omitted for never. Sessions that the link opened end, too.',
  view_limit: 'How often the link can be opened. Null or omitted for no limit.',
  password: `A password that the recipient must enter, with at least ${linkPasswordMinLength} characters. Send it to them in another way than the link. Null or omitted for none.`,
  require_login:
    'Whether only the recipient can open the link, with their own session. It requires `user` or `email`. Default: `false`.',
  url: 'The page that the link opens: a path of this service that starts with `/`, or a page of an allowed origin, without a fragment. Default: the page `/link` of this service.',
  is_easy_sharing:
    'Whether an equal request of the same user returns the existing link instead of another one. It requires exactly one bundle or directory. A request with a password always creates a link. Default: `false`.',
  organization:
    'The ID of the organization in whose name the link is made. You need a role there with the permission `org:links:manage`. Null or omitted for none.',
}

if (docs)
  describeModel(CreateAccessTokenRequest, () => ({
    description:
      'A new access link: what it opens, for whom, and for how long. Without `user` and `email`, the link opens for anyone who has it.',
    fields: linkDescriptions,
    example: {
      bundles: [exampleBundle],
      permissions: exampleLinkPermissions,
      email: exampleGuestMini.email,
      expires: '2026-12-31T23:00:00Z',
      view_limit: 3,
      password: exampleLinkPassword,
    },
  }))

export const RedeemAccessTokenRequest = model(
  {
    token: field(
      nonEmptyText,
      docs && 'The value of the access link, from the fragment of its URL after `#token=`.',
    ),
    password: field(
      z.optional(z.nullable(nonEmptyText)),
      docs && 'The password of the link. Required if `has_password` of the link is true.',
    ),
    keep_own_session: field(
      maybeFlag,
      docs &&
        'With `true`, the session cookie of a person who is signed in stays. A link that leads to a product then sets no cookie at all. The session of the link is in `session_key`. Default: `false`.',
    ),
  },
  docs && {
    description: 'An access link to open. It takes one view of the link.',
    example: { token: exampleCredentials.accessLink, password: exampleLinkPassword },
  },
)
export type RedeemAccessTokenRequest = z.output<typeof RedeemAccessTokenRequest>

export const SendLinkEmailRequest = model(
  {
    email: field(
      z.optional(emailAddress),
      docs &&
        'The address to send the link to. Default: the verified address of the recipient. Anyone who gets the email can open the link of a guest.',
    ),
    subject: field(
      z.optional(singleLine),
      docs &&
        'The subject of the email: one line of at most 200 characters, without control characters. The service puts the name of the sender before it. Default: what the sender shared.',
    ),
    text: field(
      z.optional(multiLine),
      docs &&
        'A message of at most 10,000 characters. The email quotes it as plain text above the link. Default: none.',
    ),
  },
  docs && {
    description: 'An email with an access link. The body can be empty.',
    example: {
      email: exampleGuestMini.email,
      subject: 'The summer campaign for your review',
      text: 'Please send me your comments by Friday.',
    },
  },
)
export type SendLinkEmailRequest = z.output<typeof SendLinkEmailRequest>

const oneId = z.optional(queryId)
const anyOfIds = z.optional(queryIds)

/** The list and the lookup by value take the same filters. */
export const accessLinkFilters = z.strictObject({
  shared_bundles: anyOfIds,
  shared_directories: anyOfIds,
  shared_bundles__asset: oneId,
  user: oneId,
  created_by: oneId,
  ordering: ordering([
    'id',
    'created_at',
    'expires',
    'user',
    'created_by',
    'url',
    'has_password',
    'view_limit_enabled',
    'view_limit_left',
    'is_easy_sharing_for_bundle',
    'is_easy_sharing_for_directory',
  ]),
  ...paging,
})

/** What selects links of a list, beside what also selects a single one. */
export const accessLinkListFilters = z.strictObject({
  ...accessLinkFilters.shape,
  person: z.optional(queryId),
  filter: z.optional(querySearch),
  expired: z.optional(queryBoolean),
})

export const accessLinkListDescriptions =
  docs &&
  ({
    person: {
      description: 'Only links that this user created or received, by the ID of the user.',
      example: 7,
    },
    filter: {
      description:
        'Only links with this text in the name of what they open, or in the names and addresses of the recipient and the creator, as far as the response shows them. Case makes no difference. A request examines up to 1,000 links: if few match, the page is short or empty, and its `Link` header leads on.',
      example: 'trailer',
    },
    expired: {
      description: 'With `true`, only links that have expired. With `false`, only others.',
      example: true,
    },
  } as const)

export const accessLinkFilterDescriptions =
  docs &&
  ({
    shared_bundles: {
      description: 'Only links to one of these bundles: 1 to 100 IDs of the product, separated by commas.',
      example: '12,13',
    },
    shared_directories: {
      description:
        'Only links to one of these directories: 1 to 100 IDs of the product, separated by commas.',
      example: '34',
    },
    shared_bundles__asset: {
      description: 'Only links to a bundle with this asset: the ID of the asset in the product.',
      example: 8,
    },
    user: { description: 'Only links for this recipient, by the ID of the user.', example: 7 },
    created_by: { description: 'Only links that this user created, by the ID of the user.', example: 1 },
  } as const)
