graph [
  directed 0
  node [
    id 0
    label "lone"
  ]
  node [
    id 1
    label "ann"
  ]
  node [
    id 2
    label "bob"
  ]
  node [
    id 3
    label "zo&#235;"
  ]
  node [
    id 4
    label "dan"
  ]
  node [
    id 5
    label "x y"
  ]
  node [
    id 6
    label "eve"
  ]
  edge [
    source 1
    target 2
    weight 1.5
  ]
  edge [
    source 1
    target 3
    weight 0.25
  ]
  edge [
    source 2
    target 3
    weight 2.0
  ]
  edge [
    source 3
    target 4
    weight 3.0
  ]
  edge [
    source 4
    target 5
    weight 1.125
  ]
  edge [
    source 1
    target 6
    weight 1.0
  ]
]
