import { decodeXml } from './xml/decode.ts'
import { isElement, namespaces } from './xml/element.ts'
import { XmlRefused } from './xml/faults.ts'
import { readXml } from './xml/read.ts'

/**
 * The ID of the request that a posted response says it answers, before anything of it was verified: good for finding
 * the sign-in that it is then held against, and for nothing else. Undefined where it says none, or can't be read.
 */
export const readInResponseTo = (posted: string): string | undefined => {
  try {
    const root = readXml(decodeXml(Buffer.from(posted, 'base64')))
    return isElement(root, namespaces.protocol, 'Response')
      ? root.attributes.get('InResponseTo') || undefined
      : undefined
  } catch (error) {
    if (error instanceof XmlRefused) return undefined
    throw error
  }
}
