;;; emacs.el --- What a user does in Emacs with eglot  -*- lexical-binding: t -*-

;; ASKED: a JSON file that says what; SEEN: where the answers go.  In batch nothing runs when Emacs is idle: what
;; eglot, Flymake and ElDoc do then is called here.

(require 'cl-lib)
(require 'json)
(require 'flymake)
(require 'eglot)

(defvar asked
  (let ((json-array-type 'list))
    (json-read-file (getenv "ASKED"))))
(defvar seen nil)

(defun of (step name)
  "What STEP says of NAME."
  (alist-get name step))

(defun wait (what condition)
  "Wait until CONDITION holds, which WHAT names."
  (let ((end (+ (float-time) (of asked 'seconds))) found)
    (while (not (setq found (funcall condition)))
      (when (> (float-time) end)
        (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02)
      (read-on))
    found))

(defun read-on ()
  "Have jsonrpc read what came in one piece with an answer, which it does only when more comes."
  (when-let ((server (eglot-current-server)))
    (let ((process (jsonrpc--process server)))
      (funcall (process-filter process) process ""))))

(defun column (position)
  "The characters before POSITION in its line."
  (save-excursion (goto-char position) (- position (line-beginning-position))))

(defun diagnostics ()
  "What Flymake shows, in order."
  (mapcar
   (lambda (d)
     `((line . ,(1- (line-number-at-pos (flymake-diagnostic-beg d))))
       (column . ,(column (flymake-diagnostic-beg d)))
       (end_line . ,(1- (line-number-at-pos (flymake-diagnostic-end d))))
       (end_column . ,(column (flymake-diagnostic-end d)))
       (type . ,(symbol-name (flymake-diagnostic-type d)))
       (text . ,(flymake-diagnostic-text d))))
   (sort (flymake-diagnostics)
         (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b))))))

(defun texts-at (found)
  "Lines, columns and texts of FOUND."
  (mapcar (lambda (d) (format "%d:%d:%s" (of d 'line) (of d 'column) (of d 'text))) found))

(defun go (place)
  "Move to PLACE: a line and a column in characters, from 0."
  (goto-char (point-min))
  (forward-line (car place))
  (forward-char (cadr place)))

(defun messages ()
  "What Emacs said until now."
  (with-current-buffer (messages-buffer) (buffer-string)))

(defun text ()
  "The buffer's text."
  (buffer-substring-no-properties (point-min) (point-max)))

(defun step-open (step)
  "Visit a file as a user does; `eglot-ensure' waits for the end of the command."
  (switch-to-buffer (find-file-noselect (of step 'name)))
  (run-hooks 'post-command-hook)
  (wait "the server" #'eglot-current-server)
  (flymake-start)
  nil)

(defun step-diagnostics (step)
  "The diagnostics, once they stand where they are expected."
  (let (found)
    (condition-case problem
        (wait "the diagnostics"
              (lambda ()
                (setq found (diagnostics))
                (equal (texts-at found) (of step 'expected))))
      (error (push (cons 'instead (vconcat found)) seen)
             (signal (car problem) (cdr problem))))
    (vconcat found)))

(defun step-replace (step)
  "Edit one line."
  (go (list (of step 'line) 0))
  (search-forward (of step 'old))
  (replace-match (of step 'new) t t)
  (eglot--signal-textDocument/didChange)
  (text))

(defun step-hover (step)
  "What ElDoc is told at a place."
  (go (of step 'at))
  (let (said)
    (eglot-hover-eldoc-function (lambda (info &rest _) (setq said info)))
    (substring-no-properties (wait "the hover" (lambda () said)))))

(defun step-action (step)
  "Choose a code action from the menu; what that offers, and the text after it."
  (go (of step 'at))
  (let* (titles
         (last-nonmenu-event t)
         (completing-read-function
          (lambda (_prompt collection &rest _)
            (setq titles (mapcar #'car collection))
            (of step 'title))))
    (call-interactively #'eglot-code-actions)
    (eglot--signal-textDocument/didChange)
    `((titles . ,(vconcat titles)) (text . ,(text)))))

(defun step-command (step)
  "Run a command of the server."
  (format "%s" (eglot-execute-command (eglot-current-server) (intern (of step 'command)) [])))

(defun step-message (step)
  "Everything that was said, once that holds a text."
  (wait (format "the message %s" (of step 'text))
        (lambda () (string-search (of step 'text) (messages))))
  (messages))

(defun step-file (step)
  "Wait until a file is there."
  (wait "the file" (lambda () (file-exists-p (of step 'name))))
  nil)

(defun step-children (_step)
  "How many processes the server has started."
  (let ((server (process-id (jsonrpc--process (eglot-current-server)))))
    (cl-count-if (lambda (pid) (equal (alist-get 'ppid (process-attributes pid)) server))
                 (list-system-processes))))

(defun step-shutdown (_step)
  "End the server as `eglot-shutdown' does; how long that may take is eglot's choice."
  (eglot-shutdown (eglot-current-server))
  nil)

(let ((status 0))
  (condition-case problem
      (dolist (step (of asked 'steps))
        (let ((answer (funcall (intern (concat "step-" (of step 'step))) step)))
          (when (of step 'as)
            (setf (alist-get (intern (of step 'as)) seen) answer))))
    (error (setq status 1)
           (push (cons 'failure (format "%S" problem)) seen)
           (push (cons 'said (messages)) seen)
           (dolist (buffer (buffer-list))  ; what the server wrote to standard error, and the last messages
             (when (string-match-p "EGLOT" (buffer-name buffer))
               (with-current-buffer buffer
                 (push (cons (intern (buffer-name))
                             (buffer-substring-no-properties (max (point-min) (- (point-max) 4000)) (point-max)))
                       seen))))))
  (let ((coding-system-for-write 'utf-8))
    (with-temp-file (getenv "SEEN")
      (insert (json-encode (or seen '((nothing . t)))))))
  (kill-emacs status))
