import { messagesOf } from '../kit/messages.ts'

const t = messagesOf('link')

interface SharedItemsProps {
  readonly names: readonly string[]
}

/** What the link shares. Empty if only the recipient may see the names. */
export const SharedItems = ({ names }: SharedItemsProps) =>
  names.length === 0 ? null : (
    <div>
      <p class="label">{t('sharedItems')}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
