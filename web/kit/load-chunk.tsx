import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { t } from './messages.ts'

/** Returns a component whose script is loaded when it is shown for the first time. */
export const loadChunk = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let loaded: ComponentType<Props> | undefined
  return (props) => {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(loaded ? 'loaded' : 'loading')
    useEffect(() => {
      if (state !== 'loading') return
      load().then(
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
