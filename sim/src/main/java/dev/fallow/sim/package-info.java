/**
 * A simulated GPU fleet with ground truth. Its state at any instant is a pure function of a seed
 * and that instant: nothing is stored, nothing runs, and any moment of any week can be asked.
 */
package dev.fallow.sim;
