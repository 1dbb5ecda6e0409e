import { useEffect, useState } from 'preact/hooks'
import { belongsToField } from '../../kit/form.tsx'
import { areShortcutsOn } from '../../kit/kept-values.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { Icon } from '../kit/icon.tsx'
import type { Sections } from './places.ts'

const t = messagesOf('console')

const Palette = loadChunk(async () => (await import('./palette.tsx')).Palette)

/** The button and the keys that open the search for everything. */
export const SearchEverything = ({ sections }: { readonly sections: Sections }) => {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      const isCommand = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey
      const isSlash = key === '/' && !belongsToField(event) && areShortcutsOn()
      if (!(isCommand || isSlash) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button
        type="button"
        class="button secondary search-all"
        aria-label={t('searchAll')}
        title={t('searchAll')}
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
      </button>
      {isOpen && <Palette sections={sections} onClose={() => setOpen(false)} />}
    </>
  )
}
