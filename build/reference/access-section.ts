import type { ApiOperation } from './document.ts'
import { type Html, html } from './html.ts'

/** Renders who may call an operation, with which credentials and under which further rules. */
export const renderAccess = (operation: ApiOperation, rules: Html | undefined): Html =>
  html`<h4>Access</h4><p>${describeCredentials(operation)}</p>${rules}`

const describeCredentials = ({ security = [] }: ApiOperation): Html => {
  if (security.length === 0) return html`Anyone may call this operation. Credentials are ignored.`
  if (security.some((scheme) => Object.keys(scheme).length === 0))
    return html`Anyone may call this operation. A credential is optional.`
  return html`Requires a credential: the header <code>Authorization: Bearer …</code> or the session cookie.`
}
