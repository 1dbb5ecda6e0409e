import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { changeSteps } from '../../accounts/events/change-event.ts'
import { diffFields } from '../../accounts/users/user-changes.ts'
import type { UseCase } from '../../http/use-case.ts'
import { toBodyFor } from '../../kernel/contract/model.ts'
import { collectErrors, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { prefixNames } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { getLogoUrl, type Logo } from '../branding/brand.models.ts'
import { type ReadLogo, readLogoUpload } from '../branding/read-logo.ts'
import { buildOwnLogoSteps } from '../branding/records.ts'
import { normalizeReplyTo, normalizeSenderName, senderNameRule } from '../mail/email-sender.ts'
import { listProvenDomains } from '../mail/own-texts/own-domains.ts'
import { listFieldCallers, type OrganizationAccess, requireSettable } from './access.ts'
import {
  type OrganizationBranding as Body,
  type OrganizationLogo,
  organizationBrandingFields,
} from './branding.models.ts'
import type { organizationBranding } from './branding.operations.ts'
import { findNameErrors } from './name-rules.ts'
import { editOrganization, type OrganizationBranding } from './records.ts'

const unset = {
  ...{ name: null, logo: null, dark_logo: null, accent_color: null, sender_name: null, reply_to: null },
} satisfies OrganizationBranding
type FullBranding = Required<OrganizationBranding>

const readStored = ({ branding }: OrganizationAccess['organization']): FullBranding => ({
  ...unset,
  ...branding,
})

const toBrandingBody = async (
  { config, table }: Services,
  access: OrganizationAccess,
  branding: FullBranding,
): Promise<Body> => {
  const addAddress = (logo: Logo | null) => logo && { ...logo, url: getLogoUrl(config.publicUrl, logo) }
  const { logo, dark_logo } = branding
  return toBodyFor(listFieldCallers(access), organizationBrandingFields, {
    ...branding,
    logo: addAddress(logo),
    dark_logo: addAddress(dark_logo),
    sender_used:
      hasSender(branding) && listSenderErrors(branding, await listProven(table, access)).length === 0,
  })
}

const hasSender = ({ sender_name: name, reply_to: replyTo }: FullBranding): boolean =>
  name !== null || replyTo !== null

const listProven = (table: Services['table'], { organization }: OrganizationAccess) =>
  listProvenDomains(table, organization.id)

/** What is wrong with a sender. It needs a proven domain, because anyone may have an organization and invite strangers. */
const listSenderErrors = (
  { sender_name: name, reply_to: replyTo }: FullBranding,
  domains: readonly string[],
): readonly FieldError[] => {
  const proven = domains.length === 0 ? 'the organization has proved none yet' : domains.join(', ')
  return [
    ...(name !== null && domains.length === 0
      ? [{ field: 'sender_name', message: 'needs a domain that the organization has proved' }]
      : []),
    ...(name !== null && normalizeSenderName(name) === undefined
      ? [{ field: 'sender_name', message: senderNameRule }]
      : []),
    ...(replyTo !== null && normalizeReplyTo(replyTo, { hosts: [], domains }) === undefined
      ? [{ field: 'reply_to', message: `must be an email address in a proven domain: ${proven}` }]
      : []),
  ]
}

export const getOrganizationBranding: UseCase<typeof organizationBranding.getOrganizationBranding> = async (
  { organization: access },
  services,
) => ({ status: 200, body: await toBrandingBody(services, access, readStored(access.organization)) })

export const updateOrganizationBranding: UseCase<
  typeof organizationBranding.updateOrganizationBranding
> = async ({ body, organization: access, context }, services) => {
  const { config } = services
  const { organization } = access
  const names = { name: body.name ?? undefined, sender_name: body.sender_name ?? undefined }
  const errors: FieldError[] = [...(await findNameErrors(services, access, names))]
  const images: ReadLogo[] = []
  const readLogo = (field: 'logo' | 'dark_logo'): Logo | null => {
    const given = body[field]
    if (!given) return null
    if (given.data === undefined)
      return keepLogo(config, organization.branding?.[field], given, field, errors)
    const { content_type = '', data } = given
    const image = collectErrors(errors, `${field}.`, () =>
      readLogoUpload({ content_type, data }, `organization ${organization.id} `),
    )
    if (image) images.push(image)
    return image?.logo ?? null
  }
  const branding = {
    name: body.name?.trim() ?? null,
    logo: readLogo('logo'),
    dark_logo: readLogo('dark_logo'),
    accent_color: body.accent_color?.toLowerCase() ?? null,
    sender_name: body.sender_name?.trim().normalize('NFC') ?? null,
    reply_to: body.reply_to ?? null,
  }
  const before = readStored(organization)
  // What stays may have lost its domain since, and then no email has it.
  const sender = {
    ...unset,
    ...(branding.sender_name !== before.sender_name && { sender_name: branding.sender_name }),
    ...(branding.reply_to !== before.reply_to && { reply_to: branding.reply_to }),
  }
  if (hasSender(sender)) errors.push(...listSenderErrors(sender, await listProven(services.table, access)))
  if (errors.length > 0) throw invalidRequest(errors)
  await replaceBranding(services, { access, branding, images, context })
  return { status: 200, body: await toBrandingBody(services, access, branding) }
}

/** The present logo, if the request names it. */
const keepLogo = (
  { publicUrl }: Config,
  present: Logo | null | undefined,
  { url }: OrganizationLogo,
  field: string,
  errors: FieldError[],
): Logo | null => {
  if (present && url === getLogoUrl(publicUrl, present)) return present
  errors.push({ field, message: 'must have `data` and `content_type`, or the `url` of the present logo' })
  return null
}

/** Removes everything, also the logos. */
export const resetOrganizationBranding: UseCase<
  typeof organizationBranding.resetOrganizationBranding
> = async ({ organization: access, context }, services) => {
  await replaceBranding(services, { access, branding: unset, images: [], context })
  return { status: 204 }
}

interface BrandingChange {
  /** The organization as it was read for the request. */
  readonly access: OrganizationAccess
  readonly branding: FullBranding
  readonly images: readonly ReadLogo[]
  readonly context: RequestContext
}

/**
 * Writes the branding together with its images. Nothing is written if nothing changes.
 *
 * @throws AppError `permission_denied` for a field that the caller cannot set
 * @throws EditConflict if the organization was changed or deleted since
 */
const replaceBranding = async (
  { table }: Pick<Services, 'table'>,
  { access, branding, images, context }: BrandingChange,
): Promise<void> => {
  const { organization } = access
  const changes = diffFields<FullBranding>(readStored(organization), branding)
  if (Object.keys(changes).length === 0) return
  requireSettable(access, organizationBrandingFields, changes)
  const isUnset = Object.values(branding).every((value) => value === null)
  await editOrganization(table, organization, { branding: isUnset ? null : branding }, [
    ...buildOwnLogoSteps(organization.branding, branding, images),
    ...changeSteps(context, 'organization.changed', {
      of: organization.id,
      change: {
        fields: prefixNames('branding', organizationBrandingFields),
        before: prefixNames('branding', { ...readStored(organization) }),
        after: prefixNames('branding', changes),
      },
    }),
  ])
}
