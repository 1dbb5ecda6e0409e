import type { accessTokens } from '../../operations/access-tokens.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleBundle, exampleDirectory } from '../example-values.ts'

type EasySharingName = Extract<keyof typeof accessTokens, `${string}EasySharingToken${string}`>

const describeGet = (kind: 'bundle' | 'directory') => ({
  description: `Gets the link with which the caller shares the ${kind} easily: one that \`create_access_token\` or
\`share_media_library_objects\` created with \`is_easy_sharing\`. Of several such links, for other recipients or terms, it is the
newest that works. Links of other users are never shown, not even to administrators.`,
  parameters: describeId(kind),
})

const describeDelete = (kind: 'bundle' | 'directory') => ({
  description: `Deletes all links with which the caller shares the ${kind} easily, as \`delete_access_token\` does. Other links to the
${kind} remain. If a request cannot delete all of them in time, it gets a 409: send it again. The audit event of each link is
\`access_token.deleted\`.`,
  parameters: describeId(kind),
})

const describeId = (kind: 'bundle' | 'directory') => ({
  id: {
    description: `The ID of the ${kind} in the media library.`,
    example: kind === 'bundle' ? exampleBundle.id : exampleDirectory.id,
  },
})

export const easySharingTexts: Pick<OperationTexts<typeof accessTokens>, EasySharingName> = {
  getEasySharingTokenForBundle: describeGet('bundle'),
  deleteEasySharingTokenForBundle: describeDelete('bundle'),
  getEasySharingTokenForDirectory: describeGet('directory'),
  deleteEasySharingTokenForDirectory: describeDelete('directory'),
}
