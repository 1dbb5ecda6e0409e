import type { SignedInfo } from '../xml/signature-form.ts'

/** The algorithms that node-saml 5.1 verifies, as far as they are safe. It cannot be extended. */
const signatureMethods = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digestMethods = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']

/**
 * Whether node-saml can verify a signature of this form. `signedInfo` must come from signed octets: only the identity
 * provider can choose a form that node-saml cannot verify.
 */
export const isKnownToNodeSaml = ({ signatureMethod, digestMethod, uri }: SignedInfo): boolean =>
  signatureMethods.includes(signatureMethod) && digestMethods.includes(digestMethod) && uri !== ''
