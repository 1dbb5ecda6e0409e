import { type ComponentChildren, createContext, type TargetedKeyboardEvent } from 'preact'
import { useContext, useId, useRef } from 'preact/hooks'
import { replaceQuery, useRoute } from './route.ts'

export interface Tab<Name extends string = string> {
  readonly name: Name
  readonly label: string
}

const TabsContext = createContext({ current: '', base: '' })

interface TabsProps {
  /** The name of the tabs, for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab[]
  /** A `TabPanel` for each tab. */
  readonly children: ComponentChildren
}

/**
 * Tabs in the pattern of the WAI-ARIA Authoring Practices. The address keeps which one is open: links lead to it, and people who come
 * back find it. What a person entered in one tab stays while they look at another.
 */
export const Tabs = ({ label, tabs, children }: TabsProps) => {
  const { query } = useRoute()
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ name }) => name === query.get('tab')) ?? tabs[0]
  const open = (at: number): void => {
    const { name } = tabs[at] ?? {}
    replaceQuery({ ...Object.fromEntries(query), tab: at === 0 ? undefined : name })
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus()
  }
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const at = tabs.findIndex(({ name }) => name === current?.name)
    const next = new Map([
      ['ArrowRight', (at + 1) % tabs.length],
      ['ArrowLeft', (at + tabs.length - 1) % tabs.length],
      ['Home', 0],
      ['End', tabs.length - 1],
    ]).get(event.key)
    if (next === undefined) return
    event.preventDefault()
    open(next)
  }
  return (
    <TabsContext.Provider value={{ current: current?.name ?? '', base }}>
      <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={press}>
        {tabs.map(({ name, label: text }, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${base}-${name}`}
            aria-selected={name === current?.name}
            tabIndex={name === current?.name ? 0 : -1}
            onClick={() => open(at)}
          >
            {text}
          </button>
        ))}
      </div>
      {children}
    </TabsContext.Provider>
  )
}

interface TabPanelProps {
  readonly name: string
  readonly children: ComponentChildren
}

/**
 * What a tab shows. It can stand in a form whose fields are in several tabs, and a tab can have several. It is built when the
 * tab is opened first.
 */
export const TabPanel = ({ name, children }: TabPanelProps) => {
  const { current, base } = useContext(TabsContext)
  const wasOpened = useRef(false)
  if (name === current) wasOpened.current = true
  if (!wasOpened.current) return null
  return (
    <div class="tab-panel" role="tabpanel" aria-labelledby={`${base}-${name}`} hidden={name !== current}>
      {children}
    </div>
  )
}

/** Opens the tab with the first wrong field of a form, and moves the focus to the field. */
export const openTabOfProblem = (): void => {
  const field = document.querySelector<HTMLElement>('form [role=tabpanel][hidden] [aria-invalid="true"]')
  if (!field || document.querySelector('form [role=tabpanel]:not([hidden]) [aria-invalid="true"]')) return
  const tab = field.closest('[role=tabpanel]')?.getAttribute('aria-labelledby') ?? ''
  document.getElementById(tab)?.click()
  setTimeout(() => field.focus())
}
