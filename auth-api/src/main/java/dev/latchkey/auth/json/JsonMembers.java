package dev.latchkey.auth.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The members of a JSON object (RFC 8259), read strictly. JSON libraries differ in the characters that they allow
 * around a value, and in the choice between two members with the same name. If two readers of a text see different
 * values, a check can be bypassed. Therefore this reader rejects a repeated name, in every spelling and at every depth.
 * The caller limits the length of the text.
 *
 * @param texts the decoded strings, by name
 * @param others the text of all other values, by name
 */
public record JsonMembers(Map<String, String> texts, Map<String, String> others) {

    /**
     * Copies the maps.
     *
     * @param texts by name
     * @param others by name
     */
    public JsonMembers {
        texts = Map.copyOf(texts);
        others = Map.copyOf(others);
    }

    /**
     * Reads bytes.
     *
     * @param utf8 the whole text
     * @return all members of the object
     * @throws IllegalArgumentException if the text is not a JSON object in UTF-8, is nested too deeply or repeats a
     *     name; the message contains no part of the text
     */
    public static JsonMembers of(byte[] utf8) {
        try {
            return of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("Not UTF-8");
        }
    }

    /**
     * Reads text.
     *
     * @param json the whole text
     * @return all members of the object
     * @throws IllegalArgumentException if the text is not a JSON object, is nested too deeply or repeats a name; the
     *     message contains no part of the text
     */
    public static JsonMembers of(String json) {
        return new JsonObjectReader(json).whole();
    }

    /**
     * A list of strings.
     *
     * @param name of the member
     * @return the decoded strings; empty if the member is missing, is no list, or contains a value that is no string
     */
    public Optional<List<String>> list(String name) {
        return Optional.ofNullable(others.get(name)).flatMap(value -> new JsonObjectReader(value).texts());
    }

    /** Shows only the number of members, because values may be passwords. */
    @Override
    public String toString() {
        return "JsonMembers of " + (texts.size() + others.size());
    }
}
