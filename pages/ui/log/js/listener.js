export default function (component) {
  const settings = component.data?.settings;
  if (settings) own.named = { page: pageOfAddress(), settings };
}
