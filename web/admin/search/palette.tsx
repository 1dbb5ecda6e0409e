import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Dialog, focusHeading } from '../../kit/dialog.tsx'
import { t as kitText, loadMessages, messagesOf } from '../../kit/messages.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { navigate } from '../kit/route.ts'
import { typeInNextPlace } from '../kit/section-page.tsx'
import { type Found, findAll, findPlaces, orderFound } from './find.ts'
import type { Sections, Setting } from './places.ts'

const t = messagesOf('search')

const typingMs = 200

/** The attributes of a field with a list of its own, not one of the browser. */
const toCombobox = (id: string, count: number, at: number) =>
  ({
    role: 'combobox',
    list: undefined,
    'aria-expanded': count > 0,
    'aria-controls': `${id}-list`,
    'aria-autocomplete': 'list',
    'aria-activedescendant': count > 0 ? `${id}-${at}` : undefined,
  }) as const

/** The labels of all fields, which are loaded while the person types. */
const loadSettings = async (): Promise<readonly Setting[]> => {
  const { listSettings } = await import('./settings.ts')
  await loadMessages()
  return listSettings()
}

const findInDocs = async (text: string): Promise<readonly Found[]> => {
  const { findGuides } = await import('./guides.ts')
  return (await findGuides(text)).map(({ name, href }) => ({ kind: 'guides', name, address: href }))
}

interface PaletteProps {
  /** The sections that the person may see. */
  readonly sections: Sections
  readonly onClose: () => void
}

/** One search for everything of the console. What is typed stays in this dialog: in no address, history or storage. */
export const Palette = ({ sections, onClose }: PaletteProps) => {
  const { can } = useCurrentUser()
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState('')
  const [chosen, choose] = useState(0)
  // The text for which the person pressed Enter before its search had ended.
  const [entered, setEntered] = useState('')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const timer = setTimeout(() => setWanted(text.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const found = useLoaded(
    async (options) => ({ wanted, rows: wanted ? await findAll(wanted, can, options) : [] }),
    wanted,
  )
  const settings = useLoaded(loadSettings)
  const guides = useLoaded(
    async () => ({ wanted, rows: /^[^_@]{3,40}$/.test(wanted) ? await findInDocs(wanted) : [] }),
    wanted,
  )
  const typed = text.trim()
  const isCurrent =
    found.value?.wanted === typed && (settings.value !== undefined || settings.failure !== undefined)
  const places = findPlaces(typed, sections, can, settings.value ?? [])
  const rows: readonly Found[] = [
    ...orderFound(typed, isCurrent ? (found.value?.rows ?? []) : [], places),
    ...(isCurrent && guides.value?.wanted === typed ? guides.value.rows : []),
  ]
  const at = Math.min(chosen, rows.length - 1)
  useEffect(() => choose(0), [text])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const follow = (row: Found | undefined): void => {
    if (!row) return
    onClose()
    if (!row.address.startsWith('#')) {
      location.assign(row.address)
      return
    }
    if (row.kind === 'actions') typeInNextPlace()
    // The place is on display already, so nothing new takes the focus.
    if (location.hash === row.address) setTimeout(focusHeading)
    navigate(row.address)
  }
  useEffect(() => {
    if (isCurrent && typed !== '' && entered === typed) follow(rows[at])
  }, [isCurrent, entered, typed])
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && rows.length > 0) {
      event.preventDefault()
      choose((at + step + rows.length) % rows.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      // What is still being searched must not be passed over for a section of the same name.
      if (isCurrent || typed === '') follow(rows[at])
      else setEntered(typed)
    }
  }
  return (
    <Dialog heading={t('heading')} onClose={onClose}>
      <input
        ref={field}
        type="text"
        {...toCombobox(id, rows.length, at)}
        aria-label={t('field')}
        placeholder={t('field')}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        maxLength={4096}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
      />
      <div id={`${id}-list`} class="found" role="listbox" aria-label={t('results')}>
        {rows.map((row, index) => (
          <div
            key={row.kind + row.address + row.name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => follow(row)}
            onKeyDown={press}
          >
            {row.name} <span class="note">{[t(row.kind), row.note].filter(Boolean).join(' · ')}</span>
          </div>
        ))}
      </div>
      <ShowLoaded loaded={found}>
        {() => (
          <p role="status" class="note">
            {describeResult(text.trim(), isCurrent, rows.length)}
          </p>
        )}
      </ShowLoaded>
      <div class="row">
        <button type="button" class="button secondary" onClick={onClose}>
          {kitText('close')}
        </button>
      </div>
    </Dialog>
  )
}

const describeResult = (text: string, isCurrent: boolean, count: number): string => {
  if (text === '') return t('hint')
  if (!isCurrent) return kitText('loading')
  return count === 0 ? t('nothing') : t('count', { count })
}
