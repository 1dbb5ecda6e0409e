import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from './button.tsx'
import { loadMessages, t } from './messages.ts'

type Load<Props> = () => Promise<ComponentType<Props>>

/** The components whose scripts and messages are loaded. */
const loaded = new Map<unknown, unknown>()

const loadComponent = async <Props extends object>(load: Load<Props>): Promise<void> => {
  const component = await load()
  await loadMessages()
  loaded.set(load, component)
}

/** Returns a component whose script is loaded when it is shown for the first time. */
export const loadChunk =
  <Props extends object>(load: Load<Props>): ComponentType<Props> =>
  (props) => <Chunk load={load} props={props} />

interface ChunkProps<Props extends object> {
  readonly load: Load<Props>
  readonly props: Props
  /** The heading of the page if the component has that of its own, for when it cannot be loaded. */
  readonly heading?: string
}

/** Shows a component once its script and its messages are loaded, or that they could not be. */
export const Chunk = <Props extends object>({ load, props, heading }: ChunkProps<Props>) => {
  const [failed, setFailed] = useState<Load<Props> | undefined>()
  const [, setShown] = useState({})
  const Loaded = loaded.get(load) as ComponentType<Props> | undefined
  useEffect(() => {
    if (Loaded) return
    let isCurrent = true
    loadComponent(load).then(
      () => isCurrent && setShown({}),
      () => isCurrent && setFailed(() => load),
    )
    return () => {
      isCurrent = false
    }
  }, [load])
  const retry = useAction(async () => {
    try {
      await loadComponent(load)
      setFailed(undefined)
    } catch {
      await reloadPage()
    }
    return undefined
  })
  if (Loaded) return <Loaded {...props} />
  if (failed !== load)
    return (
      <p class="loading" role="status">
        {t('loading')}
      </p>
    )
  return (
    <div class="stack">
      {heading !== undefined && <h1>{heading}</h1>}
      <Alert kind="problem">{t(navigator.onLine ? 'problemPart' : 'problemOffline')}</Alert>
      <div class="row">
        <Button look="secondary" isRunning={retry.isRunning} onClick={retry.run}>
          {t('retry')}
        </Button>
      </div>
    </div>
  )
}

/**
 * Loads the page again if the service can be reached. Another version of the service has other files, and some browsers do not ask
 * again for a file that failed. Without a connection, the page stays with what was typed.
 */
const reloadPage = async (): Promise<void> => {
  const isThere = await fetch(location.pathname, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isThere) location.reload()
}
