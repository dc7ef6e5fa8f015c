(() => {
  const tip = document.getElementById("tip");
  const hide = () => { tip.hidden = true; };
  document.addEventListener("pointermove", e => {
    const at = e.target.closest ? e.target.closest("[data-tip]") : null;
    if (!at) return hide();
    tip.textContent = at.dataset.tip;
    tip.hidden = false;
    const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = Math.max(8, Math.min(e.clientX + 12, most)) + "px";
    tip.style.top = Math.max(8, e.clientY - tip.offsetHeight - 12) + "px";
  });
  document.addEventListener("scroll", hide, true);
  document.addEventListener("pointerleave", hide);
  for (const title of document.querySelectorAll("[data-tip]")) title.firstElementChild?.remove();
})();
