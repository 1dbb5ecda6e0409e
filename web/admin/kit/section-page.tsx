import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { useFirstFocus } from '../../kit/form.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { ManagedBanner } from './managed.tsx'
import { wasOpenedInside } from './route.ts'

const t = messagesOf('console')

interface SectionPageProps {
  readonly heading: string
  readonly intro?: ComponentChildren
  /** The list that a detail belongs to. */
  readonly parent?: { readonly address: string; readonly label: string }
  /** A picture before the heading. */
  readonly picture?: ComponentChildren
  /** Buttons next to the heading. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

let isFieldWanted = false

/** Lets a person type in the first field of the place that they open next, because they opened it with the keyboard. */
export const typeInNextPlace = (): void => {
  isFieldWanted = true
}

/** A place of the console: its heading, which receives the focus when the person comes here, and its content. */
export const SectionPage = ({ heading, intro, parent, picture, actions, children }: SectionPageProps) => {
  const element = useFirstFocus<HTMLHeadingElement>(wasOpenedInside())
  useLayoutEffect(() => {
    if (wasOpenedInside()) scrollTo(0, 0)
    if (!isFieldWanted) return
    isFieldWanted = false
    element.current
      ?.closest('.section-page')
      ?.querySelector<HTMLElement>('form :is(input, textarea)')
      ?.focus()
  }, [])
  useEffect(() => {
    document.title = `${heading} – ${t('administration')} – ${pageData.brand.product_name}`
  }, [heading])
  return (
    <div class="section-page">
      {parent && (
        <a class="parent" href={parent.address}>
          {parent.label}
        </a>
      )}
      <div class="section-top">
        <div class="heading">
          {picture}
          <h1 ref={element} tabIndex={-1}>
            {heading}
          </h1>
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      {intro && <p class="intro">{intro}</p>}
      <ManagedBanner />
      {children}
    </div>
  )
}

/** What a section shows for the rest of the address: `['12']` for `#/users/12`. */
export interface SectionProps {
  readonly path: readonly string[]
}
