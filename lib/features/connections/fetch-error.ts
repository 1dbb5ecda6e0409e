import { metadataFetchMs } from '../../kernel/limits/connection-limits.ts'

/** The step of a fetch that failed. `address` means that the host is not on the public internet. */
export type FetchFailure =
  | 'address'
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'answer'
  | 'timeout'
  | 'redirect'
  | 'status'
  | 'size'
  | 'encoding'

const messages: Readonly<Record<FetchFailure, string>> = {
  // Continues a sentence after the field's name.
  address: 'leads to an address that is not on the public internet',
  resolve: 'The host of the metadata URL could not be resolved. Check its name.',
  connect: 'The host of the metadata URL could not be reached.',
  tls: 'The TLS certificate of the metadata host is not valid for its name. Check the certificate.',
  answer: 'The metadata URL did not return a complete HTTP response.',
  timeout: `The metadata URL did not respond within ${metadataFetchMs / 1000} seconds.`,
  redirect: 'The metadata URL returned a redirect, which is not followed. Use the address that it leads to.',
  status: 'The metadata URL did not return status 200.',
  size: 'The response of the metadata URL is larger than 1 MiB.',
  encoding: 'The response of the metadata URL could not be decompressed.',
}

/** A URL that could not be fetched. Its message contains no addresses and nothing of the response. */
export class FetchError extends Error {
  readonly reason: FetchFailure

  constructor(reason: FetchFailure) {
    super(messages[reason])
    this.name = 'FetchError'
    this.reason = reason
  }
}
