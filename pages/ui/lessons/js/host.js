// Connects a lesson to the app. The component is called again with each change of its data; its lesson stays.

export default function () {}
