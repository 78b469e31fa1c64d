package dev.latchkey.tests.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A session known to a client, with the history of its tokens. */
final class Session {

    /** An access token, and its issuer. */
    record Access(String text, Op issuer) {}

    final int number;
    final String service;
    final String subject;

    /** As the store has it. */
    final String id;

    /** The refresh tokens seen by clients, by name, in order. */
    final Map<String, String> seen = new LinkedHashMap<>();

    final List<Access> access = new ArrayList<>();
    private final Map<String, String> names = new LinkedHashMap<>();

    Session(int number, String service, String subject, String id) {
        this.number = number;
        this.service = service;
        this.subject = subject;
        this.id = id;
    }

    /** The same token has the same name. */
    String nameOf(String text) {
        return names.computeIfAbsent(text, token -> "s" + number + "." + names.size());
    }
}
