package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.engine.ConfidentialFields;
import dev.latchkey.plugins.apikeys.ApiKey;
import dev.latchkey.plugins.apikeys.IssuedKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/** The responses of the endpoints: JSON without caching. */
final class KeyAnswer {

    private KeyAnswer() {}

    static ResponseEntity<Object> ok(Object body) {
        return with(HttpStatus.OK, MediaType.APPLICATION_JSON, body);
    }

    /** A key with its text. */
    static ResponseEntity<Object> issued(IssuedKey issued, HttpStatus status) {
        Map<String, Object> body = new ConfidentialFields<>();
        body.put("key", issued.text().withText(CharSequence::toString));
        body.putAll(shown(issued.key()));
        return with(status, MediaType.APPLICATION_JSON, body);
    }

    static ResponseEntity<Object> done() {
        return ResponseEntity.noContent().cacheControl(CacheControl.noStore()).build();
    }

    static ResponseEntity<Object> problem(HttpStatus status, String detail) {
        return with(status, MediaType.APPLICATION_PROBLEM_JSON, ProblemDetail.forStatusAndDetail(status, detail));
    }

    private static ResponseEntity<Object> with(HttpStatus status, MediaType type, Object body) {
        return ResponseEntity.status(status)
                .cacheControl(CacheControl.noStore())
                .contentType(type)
                .body(body);
    }

    /** Times in the form of RFC 3339; missing values are left out. */
    static Map<String, Object> shown(ApiKey key) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", key.id());
        shown.put("name", key.name());
        shown.put("scopes", new TreeSet<>(key.scopes()));
        shown.put("created_at", key.created().toString());
        key.expires().ifPresent(time -> shown.put("expires_at", time.toString()));
        key.lastUsed().ifPresent(time -> shown.put("last_used_at", time.toString()));
        key.formerUntil().ifPresent(time -> shown.put("former_key_until", time.toString()));
        return shown;
    }
}
