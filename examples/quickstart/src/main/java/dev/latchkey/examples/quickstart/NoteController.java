package dev.latchkey.examples.quickstart;

import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A note for each account. The rules of the filter chain ask for the permissions to read and to write a note. */
@RestController
@RequestMapping("/api/notes/{owner}")
class NoteController {

    private final JdbcClient jdbc;

    NoteController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A text of another length than the column's is answered 400. */
    record Note(String text) {
        Note {
            if (text == null || text.length() > 1000) {
                throw new IllegalArgumentException("A note has at most 1,000 characters");
            }
        }
    }

    @GetMapping
    Note read(@PathVariable String owner) {
        return jdbc.sql("select text from notes where owner = ?")
                .param(owner)
                .query(String.class)
                .optional()
                .map(Note::new)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such note"));
    }

    @PutMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void write(@PathVariable String owner, @RequestBody Note note) {
        int rows = jdbc.sql("update notes set text = ? where owner = ?")
                .param(note.text())
                .param(owner)
                .update();
        if (rows == 0) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such note");
        }
    }
}
