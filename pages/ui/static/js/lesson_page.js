// The page of a lesson: the runner of the app, with recordings from files, and a course that hears of it.

import { flOpenLesson } from '../../lessons/js/files.js';
import { flStore } from '../../lessons/js/document.js';
import { Listener, Scorm, flApi } from './course.js';

/** @param {{ lesson: any, colors: any, plotly: string, server: string, course: boolean }} page */
export function flOpenLessonPage({ lesson, colors, plotly, server, course }) {
  const api = course ? flApi() : null, scorm = api && new Scorm(api, lesson), listener = new Listener(lesson);
  const link = href => href === 'lessons' ? (course ? '' : 'index.html#lessons') : server && server + href;
  const { runner } = flOpenLesson({ lesson, colors, plotly, link, store: scorm ?? flStore,
    report: told => { scorm?.told(told); listener.told(told); } });
  for (const way of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.fl-languages a'))) {
    way.addEventListener('click', () => { way.search = runner.index ? `?card=${runner.index + 1}` : ''; });
  }
}
