import { useEffect, useRef } from 'preact/hooks'
import { pageData } from './page-data.ts'

/** Shows the heading as the title of the page. Calls `focus` when the step changes, so that screen readers announce it. */
export const useStep = (
  heading: string,
  step: string,
  focus: () => void,
  { productName } = pageData.brand,
): void => {
  const shownStep = useRef(step)
  useEffect(() => {
    document.title = heading.includes(productName) ? heading : `${heading} – ${productName}`
    if (shownStep.current === step) return
    shownStep.current = step
    focus()
  }, [heading, step, productName])
}
