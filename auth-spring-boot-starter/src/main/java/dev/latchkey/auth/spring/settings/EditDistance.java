package dev.latchkey.auth.spring.settings;

/**
 * The edit distance of two texts (Levenshtein): letters added, removed or replaced. A swap of two neighbours counts as a single
 * edit.
 */
final class EditDistance {

    private EditDistance() {}

    static int between(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : fewest(steps, one, other, i, j);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int fewest(int[][] steps, String one, String other, int i, int j) {
        int replaced = steps[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int fewest = Math.min(replaced, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(fewest, steps[i - 2][j - 2] + 1) : fewest;
    }
}
