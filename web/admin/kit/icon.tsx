const paths = {
  overview: 'M3 3h8v8H3zM13 3h8v5h-8zM13 10h8v11h-8zM3 13h8v8H3z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  people: 'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M16 3a4 4 0 0 1 0 8M18 15c3 1 4 3 4 6',
  case: 'M3 8h18v12H3zM8 8V4h8v4M3 13h18M12 12v3',
  copy: 'M9 9h12v12H9zM5 15H3V3h12v2',
  list: 'M4 6h.01M9 6h12M4 12h.01M9 12h12M4 18h.01M9 18h12',
  door: 'M14 3H5v18h9M10 12h11M17 8l4 4-4 4',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l9-9M16 7l3 3',
  link: 'M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1',
  barred: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM6 6l12 12',
  building: 'M5 21V3h10v18M15 9h4v12M3 21h18M9 7h2M9 11h2M9 15h2',
  brush: 'M20 4L9 15M9 15c-3-1-5 1-5 5 4 0 6-2 5-5z',
  app: 'M3 4h18v16H3zM3 9h18M7 6.5h.01',
  code: 'M8 6l-6 6 6 6M16 6l6 6-6 6',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4',
  hook: 'M12 3v10a4 4 0 1 1-8 0v-2M4 11l-2 3M4 11l2 3M12 3h.01M16 6h5M16 10h5M16 14h5',
  pulse: 'M2 12h5l3-8 4 16 3-8h5',
  chart: 'M3 21h18M7 21v-8M12 21V5M17 21v-5',
  log: 'M5 3h14v18H5zM9 8h6M9 12h6M9 16h3',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21',
  leave: 'M10 3H4v18h6M9 12h12M17 8l4 4-4 4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
} as const

export type IconName = keyof typeof paths

/** A small picture beside a text, which says the same. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
