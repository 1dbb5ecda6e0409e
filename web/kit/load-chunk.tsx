import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Alert, Button } from './button.tsx'
import { loadMessages, t } from './messages.ts'

/** Loads the script of a component, and the messages that it uses. */
export const loadComponent = async <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> => {
  const component = await load()
  await loadMessages()
  return component
}

/** Returns a component whose script is loaded when it is shown for the first time. */
export const loadChunk = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let loaded: ComponentType<Props> | undefined
  return (props) => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded ? 'loaded' : 'loading')
    useEffect(() => {
      if (state !== 'loading') return
      loadComponent(load).then(
        (component) => {
          loaded = component
          setState('loaded')
        },
        () => setState('failed'),
      )
    }, [state])
    if (loaded) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    if (state === 'loading') return <p role="status">{t('loading')}</p>
    return (
      <div class="stack">
        <Alert kind="problem">{t('problemUnreachable')}</Alert>
        {/* A new version of the service has other files. The page that is loaded again names them. */}
        <Button look="secondary" onClick={() => location.reload()}>
          {t('retry')}
        </Button>
      </div>
    )
  }
}
