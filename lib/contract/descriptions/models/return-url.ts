import { ContinueRequest, ReturnLocation, ReturnTarget } from '../../models/return-url.ts'
import { describeModel } from '../describe.ts'
import { exampleCredentials, exampleProductUrl } from '../example-values.ts'

const returnTo = `${exampleProductUrl}/cart?state=4f9c`

export const returnUrlTexts = [
  describeModel(ContinueRequest, {
    description: 'The address that a signed-in user returns to.',
    fields: {
      return_to:
        'A path of the service such as `/passkeys`, or the URL of a page of an allowed origin. Paths under `/api/` are refused.',
    },
    example: { return_to: returnTo },
  }),
  describeModel(ReturnTarget, {
    description: 'An address that a sign-in page may return to.',
    fields: {
      return_to: 'The complete URL in its normal form.',
      origin: 'The origin of the URL, to show to the user.',
      is_external: 'Whether the URL is of an allowed origin, and not of the service.',
    },
    example: { return_to: returnTo, origin: exampleProductUrl, is_external: true },
  }),
  describeModel(ReturnLocation, {
    description: 'Where the browser goes after a sign-in.',
    fields: {
      location:
        'The URL to open. For another origin it contains a ticket, so open it at once and do not store it.',
    },
    example: { location: `${returnTo}&ticket=${exampleCredentials.ticket}` },
  }),
]
