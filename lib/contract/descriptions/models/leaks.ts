import { LeakedCredentialsRequest, SecretScanningFinding } from '../../models/leaks.ts'
import { describeModel } from '../describe.ts'
import { exampleCredentials } from '../example-values.ts'

export const leaksTexts = [
  describeModel(LeakedCredentialsRequest, {
    description:
      'Credentials that were found where they should not be, such as in a repository or a log. Each one that is real ends at once. At least one of the two fields is required.',
    fields: {
      token: 'One credential, exactly as found, without quotes or spaces.',
      credentials: 'Up to 100 credentials. Other texts are ignored.',
    },
    example: { credentials: [exampleCredentials.apiToken, exampleCredentials.session] },
  }),
  describeModel(SecretScanningFinding, {
    description:
      'A finding as GitHub sends it to partners of its secret scanning. Other fields are ignored, and no signature is needed.',
    fields: {
      token: 'The credential that was found. It ends at once if it is real.',
      type: 'The type of the credential in the secret scanning. Not used.',
      url: 'Where the credential was found. Not used and not stored.',
      source: 'The kind of place where it was found. Not used and not stored.',
    },
    example: {
      token: exampleCredentials.apiToken,
      type: 'latchkey_api_token',
      url: 'https://github.com/example/shop/blob/main/deploy.sh',
      source: 'content',
    },
  }),
]
