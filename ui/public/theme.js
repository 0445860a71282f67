// Runs before the first paint, so that a chosen theme does not flash.
(function () {
  try {
    var theme = localStorage.getItem("moothall.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (_) {
    // storage is switched off: the system's theme holds
  }
})();
