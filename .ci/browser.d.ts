// What TypeScript's library says of browsers too strictly for these scripts, or not yet.

interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
}

interface Element {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

interface IntersectionObserverInit {
  scrollMargin?: string;
}

declare var Plotly: any;  // loaded by `loadPlotly`
declare var __feedbackLab: { player?: any, loading?: Promise<any>, offers?: any, [part: string]: any };
declare var __feedbackLabRuns: any;
declare var __feedbackLabTabs: any;
declare var __feedbackLabMenu: any;
