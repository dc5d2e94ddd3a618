/** Texts that would do something if they were more than text. */
export const hostileTexts = [
  '<img src=x onerror="window.isOwned=true">',
  'javascript:window.isOwned=true',
  '</script><script>window.isOwned=true</script>',
  '{{constructor.constructor("window.isOwned=true")()}}',
  '\u001b[31mred\u001b[0m \u202eabc',
];
