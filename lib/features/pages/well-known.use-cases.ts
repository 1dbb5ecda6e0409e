import type { UseCase } from '../../http/use-case.ts'
import { notFound } from '../../kernel/errors/errors.ts'
import { toAccountPage } from './addresses.models.ts'
import type { pages } from './operations.ts'

/** The sections of the account page. */
const sections = {
  password: toAccountPage('', 'password'),
  passkeys: toAccountPage('', 'passkeys'),
} as const

/** The settings do not change before the next deployment, and everyone gets the same. */
const headers = { 'cache-control': 'public, max-age=3600' }

export const changePasswordPage: UseCase<typeof pages.changePasswordPage> = async () => ({
  status: 303,
  headers: { location: sections.password },
})

/** Leads to the account page, which has the passkeys. Older links of products lead to their former page. */
export const passkeysPage: UseCase<typeof pages.passkeysPage> = async () => ({
  status: 303,
  headers: { location: sections.passkeys },
})

/** The last day is in the file. After it, there is no file, because the address may reach nobody any more. */
export const getSecurityContact: UseCase<typeof pages.getSecurityContact> = async (
  _,
  { config: { publicUrl, securityContact }, now },
) => {
  if (!securityContact || now() >= securityContact.endsAt)
    throw notFound('file', 'The operator of this service states no address for reports.')
  const { address, endsAt } = securityContact
  const fields = [
    `Contact: ${address}`,
    `Expires: ${new Date(endsAt).toISOString()}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ]
  return { status: 200, headers, body: `${fields.join('\n')}\n` }
}

export const getPasskeyEndpoints: UseCase<typeof pages.getPasskeyEndpoints> = async (
  _,
  { config: { publicUrl } },
) => {
  const page = publicUrl + sections.passkeys
  return { status: 200, headers, body: { enroll: page, manage: page } }
}

export const getRelatedOrigins: UseCase<typeof pages.getRelatedOrigins> = async (
  _,
  { config: { passkeys } },
) => ({ status: 200, headers, body: { origins: [...passkeys.origins] } })
