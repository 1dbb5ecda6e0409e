import aws4 from 'aws4'
import type { Account } from './find-account.ts'

type Headers = Readonly<Record<string, string>>

/** Returns the headers of a call with those that say who makes it. */
export type SignCall = (headers: Headers, body: string) => Promise<Headers>

/** Signs calls with the credentials of the account (AWS Signature Version 4). */
export const createSignCall =
  ({ region, url, credentials }: Account): SignCall =>
  async (headers, body) => {
    const request = { method: 'POST', path: '/', service: 'dynamodb', region, body }
    const signed = aws4.sign({ ...request, headers: { ...headers, host: url.host } }, await credentials())
    return signed.headers as Headers
  }

const authorization =
  'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0'

/**
 * Names the user of the embedded engine in a call. The engine requires a signature but does not check it, and to compute
 * one takes half of the CPU time of a call.
 */
export const nameLocalUser: SignCall = async (headers) => ({
  ...headers,
  authorization,
  'x-amz-date': '20260101T000000Z',
})
