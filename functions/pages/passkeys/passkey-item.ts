/** A passkey as the API returns it. */
export interface Passkey {
  readonly id: number
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly is_synced: boolean
}

/** The form of a passkey in the list. */
export const getFormId = ({ id }: Passkey): string => `passkey-${id}`
export const getRemoveButtonId = ({ id }: Passkey): string => `remove-${id}`
export const getNameId = ({ id }: Passkey): string => `name-${id}`

/** Creates the list entry of a passkey: its name to edit, its dates, and its buttons. */
export const createPasskeyItem = (passkey: Passkey): HTMLLIElement => {
  const name = createElement('input', {
    id: getNameId(passkey),
    value: passkey.name,
    maxLength: 100,
    required: true,
    autocomplete: 'off',
  })
  const label = createElement('label', {}, 'Name', name)
  const rename = createElement('button', { className: 'secondary' }, 'Rename')
  rename.setAttribute('aria-label', `Rename ${passkey.name}`)
  const remove = createElement(
    'button',
    { id: getRemoveButtonId(passkey), type: 'button', className: 'quiet' },
    'Remove',
  )
  remove.setAttribute('aria-label', `Remove ${passkey.name}`)
  const actions = createElement('div', { className: 'actions' }, rename, remove)
  const dates = createElement('small', {}, describeDates(passkey))
  const form = createElement('form', { id: getFormId(passkey), method: 'post' }, label, dates, actions)
  return createElement('li', {}, form)
}

const createElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

const describeDates = ({ created_at: created, last_used_at: used, is_synced: isSynced }: Passkey): string =>
  [
    `Added on ${formatDate(created)}.`,
    used === null ? 'Never used.' : `Last used on ${formatDate(used)}.`,
    isSynced ? 'Shared between your devices.' : 'On one device only.',
  ].join(' ')

const formatDate = (time: string): string =>
  new Date(time).toLocaleDateString(document.documentElement.lang, { dateStyle: 'long' })
