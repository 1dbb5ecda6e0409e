import type { OwnDirectory } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { nameAttribute, showValue } from '../../session-kit/attribute-field.tsx'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('access')

/** Whether the directories of companies may keep the name and the attributes of the user up to date, whose account was there before. */
export const DirectoryQuestions = () => {
  const { value: directories = [], reload } = useLoaded((options) => client.users.getOwnDirectories(options))
  return directories.map((directory) => (
    <DirectoryQuestion key={directory.id} directory={directory} onChange={reload} />
  ))
}

interface QuestionProps {
  readonly directory: OwnDirectory
  readonly onChange: () => Promise<void>
}

const headings = { asked: 'directoryAsks', agreed: 'directoryAgreed', declined: 'directoryDeclined' } as const

const describe = ({ state, full_name: fullName, attributes }: OwnDirectory): string => {
  if (state === 'agreed') return t('directoryAgreedText')
  const details = attributes.map((attribute) => `${nameAttribute(attribute)}: ${showValue(attribute.value)}`)
  const name = fullName === null ? t('directoryNoName') : t('directoryName', { fullName })
  const offer =
    details.length === 0 ? name : `${name} ${t('directoryDetails', { details: formatList(details) })}`
  return state === 'declined' ? `${t('directoryDeclinedText')} ${offer}` : offer
}

const DirectoryQuestion = ({ directory, onChange }: QuestionProps) => {
  const { setProfile, announce } = useAccount()
  const { id, name, state, shown } = directory
  const answer = async (agrees: boolean) => {
    announce('')
    await client.users.answerOwnDirectory(id, agrees ? { agrees, shown } : { agrees })
    if (agrees) setProfile(await client.users.getCurrentUser())
    await onChange()
    announce(t(agrees ? 'directoryAgreedNow' : 'directoryDeclinedNow'))
    return undefined
  }
  const agree = useConfirmedAction(() => answer(true))
  const decline = useConfirmedAction(() => answer(false))
  const failure = agree.failure ?? decline.failure
  const heading = t(headings[state], { name })
  return (
    <section class="stack" aria-label={heading}>
      <h2>{heading}</h2>
      <p>{describe(directory)}</p>
      <Alert kind="problem">{failure && describeFailure(failure)}</Alert>
      <div class="row">
        {state !== 'agreed' && (
          <Button isRunning={agree.isRunning} onClick={() => void agree.run()}>
            {t('directoryAgree')}
          </Button>
        )}
        {state !== 'declined' && (
          <Button look="secondary" isRunning={decline.isRunning} onClick={() => void decline.run()}>
            {t(state === 'agreed' ? 'directoryStop' : 'directoryDecline')}
          </Button>
        )}
      </div>
    </section>
  )
}
