-- What a user does in Neovim, 0.7 or later. ASKED: a JSON file that says what; SEEN: where the answers go.
local asked = vim.fn.json_decode(vim.fn.readfile(vim.env.ASKED))
local seen = { messages = {} }
local recent = vim.fn.has('nvim-0.8') == 1

local function wait(what, condition)
  if not vim.wait(asked.seconds * 1000, condition, 20) then
    error('waited in vain for ' .. what, 2)
  end
end

local function diagnostics()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, {
      line = d.lnum,
      column = d.col,
      end_line = d.end_lnum,
      end_column = d.end_col,
      severity = vim.diagnostic.severity[d.severity],
      message = d.message,
      source = d.source,
      code = d.code or d.user_data.lsp.code,
    })
  end
  table.sort(found, function(a, b)
    return a.line < b.line or (a.line == b.line and a.column < b.column)
  end)
  return found
end

local function places()
  local found = {}
  for _, d in ipairs(diagnostics()) do
    table.insert(found, string.format('%d:%d:%s', d.line, d.column, d.code))
  end
  return found
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

local function messages()
  return vim.fn.execute('messages')
end

local function at(place)
  vim.api.nvim_win_set_cursor(0, { place[1] + 1, place[2] })
end

-- Choose from the next menu; what it offers is kept.
local function choose(title)
  local shown = {}
  vim.ui.select = function(items, options, on_choice)
    local chosen
    for _, item in ipairs(items) do
      local label = options.format_item(item)
      table.insert(shown, label)
      if label == title then
        chosen = item
      end
    end
    shown.done = true
    on_choice(chosen)
  end
  return shown
end

local steps = {}

function steps.open(step)
  vim.cmd('edit ' .. step.name)
end

function steps.diagnostics(step)
  if not vim.wait(asked.seconds * 1000, function()
    return vim.deep_equal(places(), step.expected)
  end, 20) then
    seen.instead = diagnostics()
    error('waited in vain for the diagnostics of ' .. step.as)
  end
  return diagnostics()
end

function steps.confirmed()
  wait('a verdict', function()
    local found = diagnostics()
    return #found > 0 and found[1].message:find('(confirmed)', 1, true)
  end)
  return diagnostics()
end

function steps.replace(step)
  local line = vim.api.nvim_buf_get_lines(0, step.line, step.line + 1, true)[1]
  local from, to = line:find(step.old, 1, true)
  vim.api.nvim_buf_set_text(0, step.line, from - 1, step.line, to, { step.new })
  return text()
end

function steps.hover(step)
  at(step.at)
  local shown
  vim.lsp.buf.hover()
  wait('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        shown = window
      end
    end
    return shown
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(shown), 0, -1, false)
  vim.api.nvim_win_close(shown, true)
  return table.concat(lines, '\n')
end

function steps.action(step)
  at(step.at)
  local shown = choose(step.title)
  local before = text()
  local context = step.only and { only = { step.only }, diagnostics = {} } or nil
  vim.lsp.buf.code_action(recent and { context = context } or context)
  wait('the menu', function()
    return shown.done
  end)
  shown.done = nil
  if step.edits then
    wait('the edit', function()
      return text() ~= before
    end)
  end
  return { titles = shown, text = text() }
end

function steps.lenses(step)
  vim.lsp.codelens.refresh()
  wait('the lenses', function()
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if lens.command.title:find(step.expected, 1, true) then
        return true
      end
    end
  end)
  local shown = {}
  for name, id in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens', 1, true) then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, id, 0, -1, { details = true })) do
        local words = ''
        for _, chunk in ipairs(mark[4].virt_text or {}) do
          words = words .. chunk[1]
        end
        table.insert(shown, { line = mark[2], text = words })
      end
    end
  end
  return shown
end

function steps.lens(step)
  at(step.at)
  local shown = choose(step.title)
  vim.lsp.codelens.run()
  wait('the choice of lenses', function()
    return shown.done
  end)
end

function steps.command(step)
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  clients()[1].request('workspace/executeCommand', { command = step.command, arguments = step.arguments }, function() end)
end

function steps.message(step)
  wait('the message ' .. step.text, function()
    return messages():find(step.text, 1, true)
  end)
  return messages()
end

-- Newer releases show documents, older ones have a message instead.
function steps.shown(step)
  local found
  wait('the text ' .. step.text, function()
    found = messages()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      found = found .. table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
    end
    return found:find(step.text, 1, true)
  end)
  return found
end

function steps.file(step)
  wait('the file ' .. step.name, function()
    return vim.fn.filereadable(step.name) == 1
  end)
end

-- The processes that the server has started.
function steps.children()
  local parents, servers, found = {}, {}, 0
  for _, file in ipairs(vim.fn.glob('/proc/[0-9]*/stat', true, true)) do
    local read, lines = pcall(vim.fn.readfile, file)
    if read and lines[1] then
      parents[file:match('%d+')] = lines[1]:match('.*%) %S (%d+)')
    end
  end
  for pid, parent in pairs(parents) do
    if parent == tostring(vim.fn.getpid()) then
      table.insert(servers, pid)
    end
  end
  assert(#servers == 1, 'there is one server')
  for _, parent in pairs(parents) do
    found = found + (parent == servers[1] and 1 or 0)
  end
  return found
end

local progress = { 'User', 'LspProgressUpdate' }
if vim.fn.has('nvim-0.10') == 1 then
  progress = { 'LspProgress', '*' }
end
vim.api.nvim_create_autocmd(progress[1], {
  pattern = progress[2],
  callback = function()
    seen.progress = true
  end,
})
if vim.ui.open then
  vim.ui.open = function(address) -- there is no browser here
    vim.cmd('echomsg ' .. vim.fn.string(address))
  end
end

local done, problem = xpcall(function()
  for _, step in ipairs(asked.steps) do
    local answer = steps[step.step](step)
    if step.as then
      seen[step.as] = answer
    end
  end
end, debug.traceback)
if not done then
  seen.failure = problem
  seen.said = messages()
end
vim.fn.writefile({ vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen) }, vim.env.SEEN)
vim.cmd(done and 'qall!' or 'cquit')
