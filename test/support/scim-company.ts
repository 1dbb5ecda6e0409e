import { randomUUID } from 'node:crypto'
import { TestBrowser } from './browser.ts'
import { closeAfterTests } from './close-after-tests.ts'
import { companyKinds } from './company-sign-in.ts'
import type { SignedInPerson } from './people.ts'
import { vouchForDomains } from './saml.ts'
import { addDirectory } from './scim.ts'
import type { TestService } from './service.ts'

interface ScimCompany {
  readonly organizationId?: number | undefined
  /** Of the connection. */
  readonly fields?: object
  /** Of the directory. */
  readonly settings?: object
}

/** A connection with a proven domain and a directory, of an organization if one is given. */
export const addScimCompany = async (
  service: TestService,
  admin: SignedInPerson,
  { organizationId, fields, settings }: ScimCompany = {},
) => {
  const [company] = companyKinds
  if (!company) throw new Error('there is a kind of connections')
  const domain = `${randomUUID()}.example`
  const all = {
    auto_create_users: true,
    ...(organizationId !== undefined && {
      organization_id: organizationId,
      default_organization_roles: ['member'],
    }),
    ...fields,
  }
  const added = closeAfterTests(await company.add(service, 'Acme', all))
  await vouchForDomains(service, { id: added.id, admin: admin.bearer }, [domain])
  const directory = await addDirectory(service, added.id, settings, admin)
  const signIn = async (account: string) => {
    const browser = new TestBrowser(service)
    await (await added.start(browser))(account)
    const me = await browser.get('/api/2/users/me')
    return { browser, me: me.status === 200 ? me.body : undefined }
  }
  /** Somebody whom the directory sends, and who signs in. */
  const bring = async () => {
    const name = `${randomUUID()}@${domain}`
    const { body } = await directory.addUser({ userName: name, externalId: randomUUID() })
    const { browser, me } = await signIn(name)
    return { name, id: body.id as string, browser, user: me.id as number }
  }
  return { connectionId: added.id, domain, directory, signIn, bring }
}
