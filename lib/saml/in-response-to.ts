import { decodeXml } from './xml/decode.ts'
import { isElement, namespaces } from './xml/element.ts'
import { readXml } from './xml/read.ts'
import { XmlError } from './xml/xml-error.ts'

/**
 * Reads which request a posted response claims to answer. Nothing is verified yet, so the ID may only be used to find the
 * pending sign-in that the response is then checked against. Undefined if there is no ID or the XML cannot be read.
 */
export const readInResponseTo = (posted: string): string | undefined => {
  try {
    const root = readXml(decodeXml(Buffer.from(posted, 'base64')))
    return isElement(root, namespaces.protocol, 'Response')
      ? root.attributes.get('InResponseTo') || undefined
      : undefined
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}
