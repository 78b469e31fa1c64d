package dev.latchkey.auth.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The members of a JSON object (RFC 8259), read strictly. Libraries differ in what may surround a value and in which of two members with one name
 * counts. A check fails open where one reader takes what another reader overlooks. So a repeated name is refused here, in every spelling and at
 * every depth. The caller limits the length.
 *
 * @param texts the strings, decoded
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
     *     name; the message has none of the text
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
     *     message has none of the text
     */
    public static JsonMembers of(String json) {
        return new JsonObjectReader(json).whole();
    }

    /**
     * A list of strings.
     *
     * @param name of the member
     * @return the strings, decoded; empty without such a member, for another value, and for a list with another value
     */
    public Optional<List<String>> list(String name) {
        return Optional.ofNullable(others.get(name)).flatMap(value -> new JsonObjectReader(value).texts());
    }

    /** The number of members: their values may be passwords. */
    @Override
    public String toString() {
        return "JsonMembers of " + (texts.size() + others.size());
    }
}
