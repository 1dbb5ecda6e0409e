import { afterAll, beforeAll, expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { startService, type TestService } from '../support/service.ts'
import { unbuiltOperations } from '../support/unbuilt.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** Declared, routed and refused to strangers, but answering 501. An operation leaves this list when it is built. */
const expected = `
create_access_token create_group create_saml_provider create_user_template delete_access_token
delete_group delete_saml_provider delete_user delete_user_template end_own_session end_user_sessions
get_access_token get_access_token_by_value
get_access_token_media_library_permissions get_all_access_tokens get_all_groups get_all_saml_providers
get_all_user_templates get_all_users get_group get_own_sessions get_saml_provider
get_saml_service_provider_metadata get_user_template parse_samlidp_metadata patch_group
patch_saml_provider patch_user patch_user_template receive_saml_auth_assertion redeem_access_token
refresh_samlidp_metadata return_from_saml_auth return_from_saml_logout
send_access_token_email_notification start_saml_auth start_saml_logout update_group
update_saml_provider update_user update_user_template
`

it('tells which operations are still to be built', async () => {
  const unbuilt = await unbuiltOperations()
  process.stdout.write(`${unbuilt.length} of ${operations.length} operations are not built yet.\n`)
  expect(unbuilt).toEqual(expected.trim().split(/\s+/))
})
