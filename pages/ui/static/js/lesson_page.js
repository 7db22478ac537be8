// The page of a lesson: the runner of the app, with recordings from files, and a course that hears of it.

import { flOpenLesson } from '../../lessons/js/files.js';
import { flStore } from '../../lessons/js/document.js';
import { flRun } from './demo.js';
import { Listener, Scorm, flApi } from './course.js';
import { flReadText } from '../../play/js/read.js';

/** @param {{ lesson: any, colors: any, plotly: string, server: string, course: boolean }} page */
export async function flOpenLessonPage({ lesson, colors, plotly, server, course }) {
  if (plotly) flRun(await flReadText(plotly));
  const api = course ? flApi() : null, scorm = api && new Scorm(api, lesson), listener = new Listener(lesson);
  const link = href => href === 'lessons' ? (course ? '' : 'index.html#lessons') : server && server + href;
  flOpenLesson({ lesson, colors, plotly, link, store: scorm ?? flStore,
    report: told => { scorm?.told(told); listener.told(told); } });
}
